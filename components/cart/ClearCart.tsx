import { useState } from 'react';
import type { CartLine } from '../model/cartLine';
import { ConfirmDialog } from '../ui/ConfirmDialog';
import { removeLines } from './actions/cartActions';
import { CLEAR_CONFIRMATION } from './store/cartTexts';

/** Empties the cart after the confirmation that the specification prescribes. */
export function ClearCart({ lines }: { lines: CartLine[] }) {
  const [isConfirming, setIsConfirming] = useState(false);
  return (
    <>
      <button type="button" className="line__action hint" onClick={() => setIsConfirming(true)}>
        Clear cart
      </button>
      {isConfirming && (
        <ConfirmDialog
          question={CLEAR_CONFIRMATION}
          text="What you saved for later and your wishlist stay as they are."
          yes="Clear cart"
          no="Keep my items"
          onYes={() => void removeLines(lines)}
          onClose={() => setIsConfirming(false)}
        />
      )}
    </>
  );
}
