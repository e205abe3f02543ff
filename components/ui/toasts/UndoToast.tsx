import { type Id, toast } from 'react-toastify/unstyled';
import { prepareToaster } from './Toaster';

const UNDO_MS = 10_000;

/** The library stops the time under the pointer by itself; here also while the button has the focus. */
export function showUndo(text: string, onUndo: () => void): void {
  prepareToaster();
  const undo = () => {
    toast.dismiss(id);
    onUndo();
  };
  const id: Id = toast.info(
    <p className="undo-toast">
      {text}
      <button
        type="button"
        className="undo-toast__button"
        onClick={undo}
        onFocus={() => toast.pause({ id })}
        onBlur={() => toast.play({ id })}
      >
        Undo
      </button>
    </p>,
    { autoClose: UNDO_MS, closeOnClick: false, role: 'status' },
  );
}
