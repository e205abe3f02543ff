import { ActionView } from '../../../admin/actions/ActionView';
import type { QuotePageProps } from '../../../contracts/schema';
import { LinkBeside } from './LinkBeside';

export function OrganizationQuotePage({ beside, ...page }: QuotePageProps) {
  return <ActionView {...page} beside={<LinkBeside link={beside} />} />;
}
