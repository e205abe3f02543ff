import lessonStyles from '../../../static/css/lesson-editor.css?text';
import { NO_ERROR } from '../../forms/call/callOutcome';
import { EditedCheck, EditedField, EditedSelect } from '../../forms/edited/EditedField';
import { EditedStatus } from '../../forms/edited/EditedStatus';
import { SaveBar } from '../../forms/edited/SaveBar';
import type { EditedValue } from '../../forms/edited/useEditedValue';
import { useStyles } from '../../ui/useStyles';
import { Group, State } from '../guide/Guide';
import { UNBROKEN } from '../guide/texts';

const noop = () => undefined;
const later = async () => undefined;
const SAVED: EditedValue<string> = {
  value: '',
  change: noop,
  undo: noop,
  canUndo: false,
  isChanged: false,
  call: { ...NO_ERROR, isBusy: false, attempts: 0, run: async () => true, reset: noop },
  save: later,
  takeTheirs: noop,
  keepMine: later,
  isRestored: false,
  discard: noop,
  question: { isAsking: false, leave: noop, stay: noop, setSaved: noop },
};
const CHANGED: EditedValue<string> = { ...SAVED, canUndo: true, isChanged: true };
const CONFLICT = { version: 7, changedBy: 'Otto Other', changedAt: '2026-03-01T12:00:00Z', values: {} };
const KINDS = [{ value: 'text', label: 'Text' }];

/** What is edited as a whole: fields, messages, and the bar at the lower edge. */
export function EditedStates() {
  useStyles(lessonStyles);
  return (
    <Group
      id="edited"
      title="Edited as a whole"
      text="For more than fields, such as a list whose entries move."
    >
      <State label="Fields: with a hint, wrong, a choice, a tick">
        <EditedField label="Title of a lesson" hint="Shown in its list." value={UNBROKEN} onText={noop} />
        <EditedField label="Minutes of a lesson" error="Enter 0 to 60000 minutes." value="-" onText={noop} />
        <EditedSelect label="Kind of a lesson" value="text" options={KINDS} onChoose={noop} />
        <EditedCheck label="Required" isChecked onCheck={noop} />
      </State>
      <State label="Saved">
        <SaveBar edited={SAVED} button="Save" />
      </State>
      <State label="Changed">
        <SaveBar edited={CHANGED} button="Save" />
      </State>
      <State label="Being saved">
        <SaveBar edited={{ ...CHANGED, call: { ...SAVED.call, isBusy: true } }} button="Save" />
      </State>
      <State label="Changes of before are here again">
        <EditedStatus edited={{ ...CHANGED, isRestored: true }} keeps="" />
      </State>
      <State label="Somebody else was faster">
        <EditedStatus
          edited={{ ...CHANGED, call: { ...SAVED.call, conflict: CONFLICT } }}
          keeps="With yours, what they have added is kept."
        />
      </State>
      <State label="Refused">
        <EditedStatus
          edited={{ ...CHANGED, call: { ...SAVED.call, text: 'The site could not be reached.' } }}
          keeps=""
        />
      </State>
    </Group>
  );
}
