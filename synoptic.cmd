@node --v8-pool-size=1 "%~dp0dist\cli.js" %*
