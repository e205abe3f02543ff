import { enterOrganisation } from '../api/organisation/choice';
import { navigateTo } from '../browser/navigation';
import type { OrganisationChoiceProps } from '../contracts/schema';
import { FormError } from '../forms/call/FormError';
import { useCall } from '../forms/call/useCall';
import { Badge } from '../ui/Badge';
import { Button } from '../ui/controls/Button';

type OrganisationChoicesProps = Pick<OrganisationChoiceProps, 'organisations' | 'current' | 'target'>;

/** The organisations that one manages, each with a button that enters it. */
export function OrganisationChoices({ organisations, current, target }: OrganisationChoicesProps) {
  const call = useCall();

  async function enter(slug: string) {
    // A whole document: everything of the organisation before is forgotten with the page.
    if (await call.run(() => enterOrganisation(slug))) navigateTo(target);
  }

  if (organisations.length === 0)
    return <p className="muted">You manage no organisation. Somebody who owns one can make you a manager.</p>;
  return (
    <>
      <FormError text={call.text} />
      <ul className="area-choices">
        {organisations.map(({ slug, name }) => (
          <li key={slug} className="area-box area-choices__choice row">
            <span className="area-choices__name">
              {name} {slug === current && <Badge text="Chosen" tone="info" />}
            </span>
            <Button
              isBusy={call.isBusy}
              busyText="Opening…"
              label={`Open ${name}`}
              onClick={() => void enter(slug)}
            >
              Open
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
