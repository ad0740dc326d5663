/** Counts down the seconds until the server accepts the next request, then goes on by itself. */
import { useEffect, useState } from 'preact/hooks'
import { countLabel } from '../lib/words.js'

interface CountdownProps {
  readonly seconds: number
  readonly onEnd: () => void
}

export function Countdown({ seconds, onEnd }: CountdownProps) {
  // A server that rounds down would refuse the next request too.
  const [left, setLeft] = useState(Math.max(1, Math.ceil(seconds)))
  useEffect(() => {
    const timer = setTimeout(() => (left <= 1 ? onEnd() : setLeft(left - 1)), 1000)
    return () => clearTimeout(timer)
  }, [left, onEnd])
  return (
    <p aria-live="off">
      Trying again in <strong>{countLabel(left, 'second')}</strong>.
    </p>
  )
}
