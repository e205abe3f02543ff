import type { DetailProps } from '../contracts/schema';
import type { TableFormat } from '../ui/table/TableCell';
import { FactList } from './FactList';

type FactGroupsProps = { groups: NonNullable<DetailProps['groups']>; format: TableFormat };

/** Facts, each group under a title of its own. */
export function FactGroups({ groups, format }: FactGroupsProps) {
  return groups.map(({ id, title, facts, place }) => (
    <section key={id} className="area-part" aria-labelledby={`${id}-title`}>
      <h2 className={place === 'main' ? 'heading-m' : 'heading-s'} id={`${id}-title`}>
        {title}
      </h2>
      <FactList facts={facts} format={format} />
    </section>
  ));
}
