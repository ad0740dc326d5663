/** Starts the map. */
import { render } from 'preact'
import { MapPage } from './map-page.js'

const root = document.getElementById('page')
if (root !== null) render(<MapPage />, root)
