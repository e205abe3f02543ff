import { useState } from 'react';
import type { CartLine } from '../api/cartLines';
import { Question } from '../ui/Question';
import { removeLines } from './cartActions';
import { CLEAR_QUESTION } from './words';

/** Empties the cart, after the specification's question. */
export function ClearCart({ lines }: { lines: CartLine[] }) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <button type="button" className="line__action" onClick={() => setIsAsking(true)}>
        Clear cart
      </button>
      {isAsking && (
        <Question
          question={CLEAR_QUESTION}
          text="What you saved for later and your wishlist stay as they are."
          yes="Clear cart"
          no="Keep my items"
          onYes={() => void removeLines(lines)}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
