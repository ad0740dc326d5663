/** Starts the page. */
import { render } from 'preact'
import { App } from './parts/app.js'

const root = document.getElementById('page')
if (root !== null) render(<App />, root)
