/**
 * The page of GET /docs around Swagger UI. Script and style are files of their own, because its
 * Content-Security-Policy lets nothing inline and no other origin in; links are relative, so that a
 * proxy may serve it under a prefix.
 */
export const docsPage = `<!doctype html>
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
    <div id="docs"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/page.js"></script>
  </body>
</html>
`

export const docsScript = `SwaggerUIBundle({
  dom_id: '#docs',
  url: 'openapi.json',
  validatorUrl: null,
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
})
`

export const docsStyle = `body {
  margin: 0;
  background: #fafafa;
}
`
