'use client';
import { useEffect, useState } from 'react';

/** The button of a card, which counts what was added. */
export function AddButton({ name, isFree }) {
  const [count, setCount] = useState(0);
  const text = count > 0 ? 'In cart' : isFree ? 'Enrol for free' : 'Add to cart';
  return (
    <button
      type="button"
      className="add add--card"
      aria-label={`${text}: ${name}`}
      onClick={() => setCount(count + 1)}
    >
      {text}
    </button>
  );
}

/** Says that the page is interactive, as the product does. */
export function Hydrated() {
  useEffect(() => {
    document.documentElement.dataset.hydrated = '';
  }, []);
  return null;
}
