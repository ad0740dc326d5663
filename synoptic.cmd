@node "%~dp0dist\cli.js" %*
