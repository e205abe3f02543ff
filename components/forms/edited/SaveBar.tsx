import type { ReactNode } from 'react';
import { Button } from '../../ui/controls/Button';
import type { EditedValue } from './useEditedValue';

type SaveBarProps<T> = { edited: EditedValue<T>; button: string; children?: ReactNode };

/** At the lower edge of the screen: whether there are changes, undo, and saving. */
export function SaveBar<T>({ edited, button, children }: SaveBarProps<T>) {
  const { isChanged, canUndo, undo, call, save } = edited;
  return (
    <div className="save-bar">
      <p className="save-bar__state" role="status">
        {isChanged ? 'Changes are not saved yet.' : 'Everything is saved.'}
      </p>
      {children}
      <div className="save-bar__buttons row">
        <Button variant="quiet" isDisabled={!canUndo || call.isBusy} onClick={undo}>
          Undo
        </Button>
        <Button isBusy={call.isBusy} busyText="Saving…" isDisabled={!isChanged} onClick={() => void save()}>
          {button}
        </Button>
      </div>
    </div>
  );
}
