import { useEffect, useRef } from 'react';
import { plural } from '../ui/format';
import { Icon } from '../ui/Icon';
import { putBack } from './cartActions';
import { forgetRemoved, useRemoved } from './removedStore';

/** The way back after a removal, in reach until something else is removed or it is put away. */
export function RemovedNote() {
  const removed = useRemoved();
  const undo = useRef<HTMLButtonElement>(null);
  const [first] = removed;
  // The button that was pressed has left with its line: the way back is where one goes on.
  useEffect(() => {
    if (first) undo.current?.focus();
  }, [first]);
  if (!first) return <div role="status" />;
  const count = removed.length;
  const what = count === 1 ? first.line.name : `${count} ${plural(count, 'item', 'items')}`;
  return (
    <div role="status">
      <div className="removed">
        <p className="removed__text">{`${what} removed.`}</p>
        <button ref={undo} type="button" className="line__action" onClick={() => void putBack(removed)}>
          <Icon name="undo" />
          Undo
        </button>
        <button
          type="button"
          className="line__action line__action--icon"
          aria-label="Put this note away"
          onClick={() => forgetRemoved()}
        >
          <Icon name="close" />
        </button>
      </div>
    </div>
  );
}
