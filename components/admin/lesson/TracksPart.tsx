import { useId, useState } from 'react';
import type { CaptionFields, CourseLessonProps } from '../../contracts/schema';
import { EditedField, EditedSelect } from '../../forms/edited/EditedField';
import { FieldError } from '../../forms/FieldShell';
import { Button } from '../../ui/controls/Button';
import type { PartProps } from './partProps';

const MAX_BYTES = 200_000;
const EXAMPLE = 'WEBVTT\n\n00:01.000 --> 00:04.000\nWhat is said in these three seconds.\n';

/** Captions in one or more languages; the transcript is what those of the first one say. */
export function TracksPart({
  fields,
  errors,
  set,
  languages,
}: PartProps & Pick<CourseLessonProps, 'languages'>) {
  const { tracks, embedUrl } = fields;
  const change = (place: number, values: Partial<CaptionFields>, tag?: string) =>
    set({ tracks: tracks.map((track, at) => (at === place ? { ...track, ...values } : track)) }, tag);
  const free = languages.find(({ value }) => !tracks.some(({ language }) => language === value));
  return (
    <section className="area-box lesson-part" aria-labelledby="lesson-captions">
      <h2 className="heading-m" id="lesson-captions">
        {embedUrl ? 'Transcript' : 'Captions and transcript'}
      </h2>
      <p className="hint">
        {embedUrl
          ? 'The player of the other site has its captions; the transcript is shown below it.'
          : 'A video needs them, for everybody who cannot hear it. The transcript is what the first captions say.'}
      </p>
      <FieldError id="lesson-captions" error={errors.tracks} />
      {tracks.map((track, place) => (
        <div className="lesson-track" key={track.language}>
          <EditedSelect
            label="Language"
            value={track.language}
            options={languages}
            onChoose={(language) => change(place, { language })}
            error={errors[`tracks.${place}.language`]}
          />
          <EditedField
            label="WebVTT"
            hint="Begins with WEBVTT; then a time, and below it what is said."
            rows={8}
            isMono
            value={track.text}
            onText={(text) => change(place, { text }, `track-${place}`)}
            error={errors[`tracks.${place}.text`]}
          />
          <div className="row lesson-track__buttons">
            <VttFile onText={(text) => change(place, { text })} />
            <Button
              variant="text-quiet"
              label={`Remove the captions in ${track.language}`}
              onClick={() => set({ tracks: tracks.filter((_, at) => at !== place) })}
            >
              Remove
            </Button>
          </div>
        </div>
      ))}
      {free && (tracks.length === 0 || !embedUrl) && (
        <Button
          variant="quiet"
          onClick={() => set({ tracks: [...tracks, { language: free.value, text: EXAMPLE }] })}
        >
          {tracks.length === 0 ? 'Add captions' : 'Add another language'}
        </Button>
      )}
    </section>
  );
}

/** Reads captions from a file of this computer into the field; says so if it is too large. */
function VttFile({ onText }: { onText: (text: string) => void }) {
  const id = useId();
  const [error, setError] = useState('');
  const read = (file: File | undefined) => {
    if (!file) return;
    setError(file.size > MAX_BYTES ? `The file has more than ${MAX_BYTES / 1000} KB.` : '');
    if (file.size <= MAX_BYTES) void file.text().then(onText);
  };
  return (
    <div className="lesson-track__file">
      <label className="row" htmlFor={id}>
        <span>Or from a file</span>
        <input
          id={id}
          className="file-input"
          type="file"
          accept=".vtt,text/vtt"
          aria-describedby={error && `${id}-error`}
          onChange={({ target }) => {
            read(target.files?.[0]);
            target.value = '';
          }}
        />
      </label>
      <FieldError id={id} error={error} />
    </div>
  );
}
