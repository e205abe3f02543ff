import { useSite } from '../../api/site';
import type { CourseRecordsProps } from '../../contracts/schema';
import { ShortTable } from '../../ui/table/ShortTable';
import { tableFormatOf } from '../../ui/table/TableCell';
import { FactList } from '../FactList';
import { CourseFrame } from './CourseFrame';

/** A tab of a course that only shows: facts and short tables. */
export function CourseRecords({ frame, facts, tables }: CourseRecordsProps) {
  const format = tableFormatOf(useSite());
  return (
    <CourseFrame frame={frame}>
      <FactList facts={facts} format={format} />
      {tables.map((table) => (
        <ShortTable key={table.id} table={table} format={format} />
      ))}
    </CourseFrame>
  );
}
