import { type ReactNode, useState } from 'react';
import { requestIdOf } from '../../api/pages';
import { useShop } from '../../api/site';
import { Button } from '../controls/Button';
import { Notice } from '../Notice';
import { ErrorBoundary } from './ErrorBoundary';

type ErrorPanelProps = {
  /** What failed: "The sales of this month could not be shown". */
  title: string;
  text?: string;
  /** The number under which the host's log has it. */
  reference?: string;
  onRetry: () => void;
};

/** Shown instead of a part of a page that failed; the rest of the page stays. */
export function ErrorPanel({ title, text, reference, onRetry }: ErrorPanelProps) {
  return (
    <div className="error-panel" role="alert">
      <Notice kind="warning" title={title}>
        {text && <p>{text}</p>}
        {reference && <p className="hint">{`Reference: ${reference}`}</p>}
        <Button variant="quiet" onClick={onRetry}>
          Try again
        </Button>
      </Notice>
    </div>
  );
}

type PanelBoundaryProps = { title: string; children: ReactNode };

/** Limits an exception to this part of a page, and shows a panel in its place. */
export function PanelBoundary({ title, children }: PanelBoundaryProps) {
  const [attempts, setAttempts] = useState(0);
  const panel = <ExceptionPanel title={title} onRetry={() => setAttempts(attempts + 1)} />;
  return (
    <ErrorBoundary resetKey={attempts} fallback={panel}>
      {children}
    </ErrorBoundary>
  );
}

/** Rendered in the browser alone, where the number of the page's request is known. */
function ExceptionPanel({ title, onRetry }: Pick<ErrorPanelProps, 'title' | 'onRetry'>) {
  const { page } = useShop();
  return (
    <ErrorPanel
      title={title}
      text="The rest of the page works."
      reference={requestIdOf(page)}
      onRetry={onRetry}
    />
  );
}
