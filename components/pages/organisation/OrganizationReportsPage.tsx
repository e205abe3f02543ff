import { DetailView } from '../../admin/DetailView';
import { useSite } from '../../api/site';
import type { ReportProps } from '../../contracts/schema';
import { formatOf } from '../../format/format';
import { PartnerLinkReport } from '../../organisation/PartnerLinkReport';
import { Pagination } from '../../ui/Pagination';

export function OrganizationReportsPage({ csvHref, note, pages, partnerLink, ...detail }: ReportProps) {
  return (
    <div className="area-page">
      <DetailView
        {...detail}
        isWide
        actions={
          csvHref && (
            <a className="button button--quiet" href={csvHref} download>
              Download as CSV
            </a>
          )
        }
      >
        <p className="muted">{note}</p>
      </DetailView>
      <Pagination pagination={pages} format={formatOf(useSite())} />
      <PartnerLinkReport report={partnerLink} />
    </div>
  );
}
