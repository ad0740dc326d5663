/**
 * The page of GET /docs around Swagger UI. Script and style are files of their own, because its
 * Content-Security-Policy lets nothing inline and no other origin in; links are relative, so that a
 * proxy may serve it under a prefix.
 * @param hasSearchPage whether the server has a page to search by, to which a link leads back
 */
export const docsPage = (hasSearchPage: boolean): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <title>Synoptic API</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/page.css">
  </head>
  <body>
    <noscript>This page needs JavaScript; <a href="openapi.json">openapi.json</a> has the same content.</noscript>
${hasSearchPage ? searchLink : ''}    <div id="docs"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/page.js"></script>
  </body>
</html>
`

const searchLink = `    <nav aria-label="On this server"><a href="./">← Search</a></nav>
`

/** Swagger UI has a dark look, by a class; the page follows the browser's. */
export const docsScript = `const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

// A link inside the button that opens an operation cannot be reached by everybody; the button sets the same address.
const accessible = {
  wrapComponents: {
    DeepLink: (Original, { React }) => (props) =>
      React.createElement(Original, { ...props, enabled: false }),
  },
}
// Swagger UI skips levels of headings, and leaves what is above the operations outside of all landmarks.
const name = (selector, attribute, value) => {
  for (const element of document.querySelectorAll(selector + ':not([' + attribute + '])'))
    element.setAttribute(attribute, value)
}
new MutationObserver(() => {
  name('h3.opblock-tag, section.models h4', 'aria-level', '2')
  name('.opblock h4', 'aria-level', '3')
  name('.opblock h5', 'aria-level', '4')
  name('.information-container', 'role', 'region')
  name('.information-container', 'aria-label', 'About this API')
  name('.highlight-code pre, pre.microlight, pre.example', 'tabindex', '0')
  for (const table of document.querySelectorAll('.responses-table[role]:not([aria-label])'))
    table.setAttribute('aria-label', 'Responses of ' + table.id)
  for (const select of document.querySelectorAll('select:not([aria-label])')) {
    const parameter = select.closest('tr')?.dataset.paramName
    const isExample = select.classList.contains('examples-select-element')
    select.setAttribute('aria-label', parameter ?? (isExample ? 'Example' : 'Media type'))
  }
}).observe(document.getElementById('docs'), { childList: true, subtree: true })

SwaggerUIBundle({
  dom_id: '#docs',
  plugins: [accessible],
  url: 'openapi.json',
  validatorUrl: null,
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
})
`

/**
 * There is one server, so there is nothing to choose. On narrow screens Swagger UI sets a chapter's
 * description next to its title, a word a line; in the dark it leaves one label as it is.
 */
export const docsStyle = `body {
  margin: 0;
}

nav {
  max-width: 1460px;
  margin: 0 auto;
  padding: 1rem 20px 0;
  font-family: sans-serif;
}

html.dark-mode nav a {
  color: #b6d4fe;
}

html:not(.dark-mode) body {
  background: #fafafa;
}

.swagger-ui .opblock.opblock-get .opblock-summary-method {
  background: #1d5fa6;
}

.swagger-ui .opblock.opblock-post .opblock-summary-method {
  background: #17704a;
}

.swagger-ui .opblock.opblock-put .opblock-summary-method {
  background: #8a4b00;
}

.swagger-ui .opblock.opblock-patch .opblock-summary-method {
  background: #0f6b62;
}

.swagger-ui .opblock.opblock-delete .opblock-summary-method {
  background: #b3261e;
}

.swagger-ui .info .title small,
.swagger-ui .info .title small.version-stamp {
  background: #4a5160;
}

html:not(.dark-mode) .swagger-ui :is(a, .url, .info a, .info .base-url, .link) {
  color: #1f5a9e;
}

.swagger-ui .highlight-code span[style*='rgb(211, 99, 99)'] {
  color: #f2a0a0 !important;
}

html:not(.dark-mode) .swagger-ui .parameter__in {
  color: #5a5a5a;
}

html.dark-mode .swagger-ui .header-col {
  color: #d5d8dc;
}

html.dark-mode .swagger-ui .examples-select .examples-select__section-label {
  color: #d5d8dc;
}

.swagger-ui .scheme-container {
  display: none;
}

@media (max-width: 45em) {
  .swagger-ui .opblock-tag {
    flex-wrap: wrap;
    font-size: 1.25rem;
  }

  .swagger-ui .expand-operation {
    margin-left: auto;
  }

  .swagger-ui .opblock-tag small {
    order: 1;
    flex-basis: 100%;
    padding: 0.25rem 0;
  }

  .swagger-ui .opblock .opblock-summary-control {
    flex-wrap: wrap;
    min-width: 0;
  }

  .swagger-ui .responses-wrapper,
  .swagger-ui .parameters-container {
    overflow-x: auto;
  }
}
`
