import { previewTexts, saveTexts } from '../../api/admin/courses';
import type { CourseText, CourseTextsProps } from '../../contracts/schema';
import { textOf } from '../../forms/call/formValues';
import { SelectField } from '../../forms/SelectField';
import { TextField } from '../../forms/TextField';
import { type ProductTexts, ProductTextsForm, textsIn } from '../texts/ProductTextsForm';

const TEXTS: ProductTexts<CourseText> = { read: courseTextsIn, save: saveTexts, preview: previewTexts };

/** The texts of a course. */
export function CourseTextsForm(props: CourseTextsProps) {
  const { levels, languages, instructors } = props;
  return (
    <ProductTextsForm
      {...props}
      texts={TEXTS}
      more={(field) => (
        <>
          <SelectField {...field('level')} label="Level" options={levels} />
          <SelectField {...field('language')} label="Language" options={languages} />
          <TextField
            {...field('durationMinutes')}
            label="Duration in minutes"
            hint="Its page needs one; timed lessons set it too."
            inputMode="numeric"
          />
          <TextField
            {...field('provider')}
            label="Provider"
            hint="Empty: the shop itself offers it."
            maxLength={255}
          />
          <TextField
            {...field('instructors')}
            label="Instructors"
            hint={`The short name of each on a line of its own. ${shortNames(instructors)}`}
            rows={3}
            spellCheck={false}
          />
        </>
      )}
    />
  );
}

const SHOWN_NAMES = 6;

function shortNames(instructors: CourseTextsProps['instructors']): string {
  const names = instructors.slice(0, SHOWN_NAMES).map(({ value, label }) => `${value} (${label})`);
  return names.length > 0 ? `Such as ${names.join(', ')}.` : '';
}

function courseTextsIn(data: FormData): CourseText {
  return {
    ...textsIn(data),
    level: textOf(data, 'level'),
    language: textOf(data, 'language'),
    provider: textOf(data, 'provider'),
    instructors: textOf(data, 'instructors'),
    durationMinutes: Number(textOf(data, 'durationMinutes').replace(/\D/g, '') || 0),
  };
}
