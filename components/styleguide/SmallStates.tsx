import { Price } from '../catalogue/cards/Price';
import { Stars } from '../catalogue/cards/Stars';
import { Stock } from '../catalogue/item/Stock';
import { FORMAT } from '../fixtures/catalogue';
import { Icon } from '../ui/Icon';
import { LoadError } from '../ui/loading/LoadError';
import { PageProgress } from '../ui/loading/PageProgress';
import { Notice } from '../ui/Notice';
import { SectionHeading } from '../ui/SectionHeading';
import type { ToastKind } from '../ui/toasts/Toaster';
import { notify } from '../ui/toasts/toasts';
import { Group, State } from './guide/Guide';
import { SENTENCE, UNBROKEN } from './guide/texts';

const KINDS: ToastKind[] = ['info', 'success', 'warning', 'error'];
const noop = () => undefined;

export function SmallStates() {
  return (
    <>
      <Buttons />
      <Prices />
      <Messages />
      <Group id="waiting" title="Waiting and failing">
        <State label="The next page is on its way (a moment after the click)">
          <div className="guide__frame">
            <PageProgress />
          </div>
        </State>
        <State label="A page that did not come" ground="bare">
          <LoadError onRetry={noop} />
        </State>
      </Group>
    </>
  );
}

function Buttons() {
  return (
    <Group id="buttons" title="Links">
      <State label="Links that look like buttons">
        <p className="guide__row row">
          <a className="button" href="#buttons">
            Browse the catalogue
          </a>
          <a className="button button--quiet" href="#buttons">
            Ask about this course
          </a>
        </p>
      </State>
      <State label="Section heads: with a link, with a text, longer than their place">
        <SectionHeading title="Courses to begin with" link={{ href: '#buttons', text: 'Full catalogue' }} />
        <SectionHeading title={UNBROKEN.slice(0, 90)} text={SENTENCE} />
      </State>
      <State label="Chips">
        <p className="guide__row row">
          <a className="chip" href="#buttons">
            Data & Analytics
          </a>
          <a className="chip" href="#buttons">
            <span className="sr-only">Remove filter </span>
            Beginner
            <Icon name="close" />
          </a>
        </p>
      </State>
    </Group>
  );
}

function Prices() {
  const until = '2026-12-01T00:00:00Z';
  return (
    <Group id="prices" title="Prices, ratings, stock">
      <State label="Price: plain, on sale, on sale until, with the lowest price before, free, very large">
        <Price listPrice={4900} price={4900} saleUntil={null} format={FORMAT} />
        <Price listPrice={10000} price={7500} saleUntil={null} format={FORMAT} />
        <Price listPrice={10000} price={7500} saleUntil={until} format={FORMAT} />
        <Price listPrice={10000} price={7500} lowestBefore={9000} saleUntil={until} format={FORMAT} />
        <Price listPrice={10000} price={0} saleUntil={until} format={FORMAT} />
        <Price listPrice={999999999} price={123456789} saleUntil={until} format={FORMAT} />
      </State>
      <State label="Ratings">
        <p className="guide__row row">
          {[0, 1, 2.5, 3.3, 4.6, 5].map((rating) => (
            <Stars key={rating} rating={rating} format={FORMAT} />
          ))}
        </p>
      </State>
      <State label="Stock: enough, few, sold out">
        {[null, 3, 0].map((stock) => (
          <Stock key={String(stock)} stock={stock} format={FORMAT} />
        ))}
      </State>
    </Group>
  );
}

function Messages() {
  return (
    <Group id="messages" title="Messages">
      <State label="Notices: information, warning, longer than their place">
        <Notice title="Your seat is kept for 30 minutes">
          <p>{SENTENCE}</p>
        </Notice>
        <Notice kind="warning" title="This course is no longer offered">
          <p>It cannot be bought any more.</p>
        </Notice>
        <Notice kind="warning" title={UNBROKEN}>
          <p>{UNBROKEN}</p>
        </Notice>
      </State>
      <State label="Toasts">
        <p className="guide__row row">
          {KINDS.map((kind) => (
            <button
              key={kind}
              type="button"
              className="button button--quiet"
              onClick={() => void notify(kind, `Payroll Basics, as ${kind}`)}
            >
              {`Show ${kind}`}
            </button>
          ))}
        </p>
      </State>
    </Group>
  );
}
