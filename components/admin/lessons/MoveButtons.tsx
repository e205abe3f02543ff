import { Icon } from '../../ui/Icon';

type MoveButtonsProps = {
  name: string;
  /** The value of `data-focus`: a button keeps the focus when what it moves has moved. */
  focus: string;
  canUp: boolean;
  canDown: boolean;
  onStep: (step: -1 | 1) => void;
};

/** One up, one down. At an end the button stays focusable and has aria-disabled. */
export function MoveButtons({ name, focus, canUp, canDown, onStep }: MoveButtonsProps) {
  return (
    <span className="move-buttons">
      <button
        type="button"
        className="move-buttons__button move-buttons__button--up"
        aria-label={`Move up: ${name}`}
        title="Move up"
        data-focus={`up-${focus}`}
        aria-disabled={!canUp || undefined}
        onClick={() => canUp && onStep(-1)}
      >
        <Icon name="chevron" />
      </button>
      <button
        type="button"
        className="move-buttons__button"
        aria-label={`Move down: ${name}`}
        title="Move down"
        data-focus={`down-${focus}`}
        aria-disabled={!canDown || undefined}
        onClick={() => canDown && onStep(1)}
      >
        <Icon name="chevron" />
      </button>
    </span>
  );
}
