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
    <noscript>This page needs JavaScript; <a href="openapi.json">openapi.json</a> says the same.</noscript>
${hasSearchPage ? searchLink : ''}    <div id="docs"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/page.js"></script>
  </body>
</html>
`

const searchLink = `    <nav aria-label="Of this server"><a href="./">← To the search</a></nav>
`

/** Swagger UI has a dark look, by a class; the page follows the browser's. */
export const docsScript = `const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

SwaggerUIBundle({
  dom_id: '#docs',
  url: 'openapi.json',
  validatorUrl: null,
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
})
`

/**
 * There is one server, so there is nothing to choose. On narrow screens Swagger UI sets a chapter's
 * description beside its title, a word a line; in the dark it leaves one label as it is.
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

html.dark-mode .swagger-ui .examples-select__section-label {
  color: inherit;
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
