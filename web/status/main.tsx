/** Starts the operators' view. */
import { render } from 'preact'
import { StatusPage } from './status-page.js'

const root = document.getElementById('page')
if (root !== null) render(<StatusPage />, root)
