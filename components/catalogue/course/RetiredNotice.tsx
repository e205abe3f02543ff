import type { Card } from '../../contracts/schema';
import type { Format } from '../../format/format';
import { Notice } from '../../ui/Notice';
import { CardGrid } from '../cards/CardGrid';

type RetiredNoticeProps = { successors: Card[]; format: Format };

export function RetiredNotice({ successors, format }: RetiredNoticeProps) {
  return (
    <section className="retired" aria-label="This course is retired">
      <Notice kind="warning" title="This course is no longer offered">
        <p>
          It cannot be bought any more.{' '}
          {successors.length > 0 ? (
            'These courses take its place:'
          ) : (
            <a href="/shop">See what the catalogue holds today.</a>
          )}
        </p>
      </Notice>
      {successors.length > 0 && <CardGrid cards={successors} format={format} heading="h2" />}
    </section>
  );
}
