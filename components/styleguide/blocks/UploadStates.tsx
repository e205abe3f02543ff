import { UploadField } from '../../ui/upload/FileUpload';
import type { UploadControl } from '../../ui/upload/useUpload';
import { Group, State } from '../guide/Guide';
import { UNBROKEN } from '../guide/texts';

const noop = () => undefined;
const EMPTY: UploadControl = {
  file: null,
  sent: 0,
  state: 'empty',
  error: '',
  choose: noop,
  pause: noop,
  resume: noop,
};
// Its size, of which no byte is needed.
const file = (name: string) => Object.defineProperty(new File([], name), 'size', { value: 40 * 2 ** 20 });
const field = { label: 'CSV or JSON file', accept: '.csv', hint: 'UTF-8, up to 256 MiB.' };

export function UploadStates() {
  const courses = file('courses.csv');
  return (
    <Group
      id="uploads"
      title="Files"
      text="Dropped, pasted or picked; sent in parts, so that they can go on later."
    >
      <State label="Empty">
        <UploadField {...field} upload={EMPTY} />
      </State>
      <State label="Sending">
        <UploadField {...field} upload={{ ...EMPTY, file: courses, state: 'sending', sent: 17 * 2 ** 20 }} />
      </State>
      <State label="Paused, with a name that does not wrap">
        <UploadField {...field} upload={{ ...EMPTY, file: file(UNBROKEN), state: 'paused', sent: 2 ** 20 }} />
      </State>
      <State label="Failed">
        <UploadField
          {...field}
          upload={{ ...EMPTY, file: courses, state: 'failed', error: 'The site could not be reached.' }}
        />
      </State>
      <State label="Done">
        <UploadField {...field} upload={{ ...EMPTY, file: courses, state: 'done', sent: 40 * 2 ** 20 }} />
      </State>
    </Group>
  );
}
