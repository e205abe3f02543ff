import tableStyles from '../../../static/css/table.css?text';
import { Button } from '../controls/Button';
import { Placeholder, Skeleton } from '../loading/Skeleton';
import { useStyles } from '../useStyles';

type TableLoadingProps = { caption: string; rows?: number };

/** Below the page's heading, which is there at once, until the rows are. */
export function TableLoading({ caption, rows = 8 }: TableLoadingProps) {
  useStyles(tableStyles);
  return (
    <Skeleton label={`Loading: ${caption}`} className="table table--loading">
      <Placeholder shape="field" />
      <div className="table__scroll table__placeholders">
        <Placeholder shape="row" count={rows} />
      </div>
    </Skeleton>
  );
}

type TableFailedProps = {
  caption: string;
  text?: string;
  reference?: string | undefined;
  onRetry: () => void;
};

/** Instead of a list whose rows did not arrive; the rest of the page stays. */
export function TableFailed({
  caption,
  text = 'The connection was lost or the site took too long. Nothing was changed.',
  reference,
  onRetry,
}: TableFailedProps) {
  useStyles(tableStyles);
  return (
    <section className="table table__failed" role="alert" aria-label={caption}>
      <h2 className="heading-s">{`${caption} could not be loaded`}</h2>
      <p className="muted">{text}</p>
      {reference && <p className="hint">{`Reference: ${reference}`}</p>}
      <Button onClick={onRetry}>Try again</Button>
    </section>
  );
}
