import { useEffect, useRef, useState } from 'react';
import { previewLesson } from '../../api/admin/lessons';
import { EditedField } from '../../forms/edited/EditedField';
import { RichText } from '../../ui/RichText';
import type { PartProps } from './partProps';

const WAIT_MS = 600;

/** The Markdown of a lesson, with the host's own preview beside it. */
export function TextPart({ fields, errors, set, html, hint }: PartProps & { html: string; hint: string }) {
  const { preview, isFailed } = useLessonPreview(fields.text, html);
  return (
    <div className="lesson-editor__pair">
      <EditedField
        label="Text"
        hint={`${hint} Markdown: **bold**, lists with -, headings with ##, [a link](https://…), tables with |.`}
        rows={16}
        value={fields.text}
        onText={(text) => set({ text }, 'text')}
        error={errors.text}
      />
      <section
        className="area-box lesson-editor__preview"
        aria-label="Preview of the text"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
      >
        <h2 className="heading-s">As learners read it</h2>
        {preview ? <RichText className="prose" html={preview} /> : <p className="muted">No text yet.</p>}
        {isFailed && <p className="hint">The preview could not be loaded. It is tried again as you type.</p>}
      </section>
    </div>
  );
}

function useLessonPreview(text: string, first: string) {
  const [preview, setPreview] = useState(first);
  const [isFailed, setFailed] = useState(false);
  const shown = useRef(text);
  useEffect(() => {
    if (text === shown.current) return;
    let isOver = false;
    const timer = setTimeout(() => {
      previewLesson(text).then(
        (answer) => {
          if (isOver) return;
          shown.current = text;
          setPreview(answer.html);
          setFailed(false);
        },
        () => !isOver && setFailed(true),
      );
    }, WAIT_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
  return { preview, isFailed };
}
