import { useEffect, useRef } from 'react';
import { plural } from '../format/format';
import { isolated } from '../model/isolated';
import { Icon } from '../ui/Icon';
import { undoRemove } from './actions/cartActions';
import { clearRemoved, useRemoved } from './store/removedStore';

/** Offers to undo a removal until the next removal or until it is dismissed. */
export function UndoNotice() {
  const removed = useRemoved();
  const undo = useRef<HTMLButtonElement>(null);
  const [first] = removed;
  // The clicked button has left with its line: the focus moves to the undo button.
  useEffect(() => {
    if (first) undo.current?.focus();
  }, [first]);
  if (!first) return <div role="status" />;
  const count = removed.length;
  const label = count === 1 ? isolated(first.line.name) : `${count} ${plural(count, 'item', 'items')}`;
  return (
    <div role="status">
      <div className="undo-notice row">
        <p className="undo-notice__text">{`${label} removed.`}</p>
        <button
          ref={undo}
          type="button"
          className="line__action hint"
          onClick={() => void undoRemove(removed)}
        >
          <Icon name="undo" />
          Undo
        </button>
        <button
          type="button"
          className="line__action hint line__action--icon"
          aria-label="Dismiss"
          onClick={() => clearRemoved()}
        >
          <Icon name="close" />
        </button>
      </div>
    </div>
  );
}
