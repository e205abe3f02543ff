import { useEffect } from 'react';
import { useSite } from '../../api/site';
import type { FileBody } from '../../contracts/schema';
import { fileSize } from '../../format/fileSize';
import { formatOf } from '../../format/format';
import { Icon } from '../../ui/Icon';
import { RichText } from '../../ui/RichText';
import { DoneSwitch } from '../DoneSwitch';
import type { LessonRecord } from '../state/useLessonRecord';

type FileLessonProps = { body: FileBody; record: LessonRecord; onNearEnd: () => void };

/** A file to take along. Downloading is not reading: the button alone makes it done. */
export function FileLesson({
  body: { html, name, href, bytes, mediaType },
  record,
  onNearEnd,
}: FileLessonProps) {
  useEffect(onNearEnd, [onNearEnd]);
  return (
    <div className="stack lesson-text">
      <RichText className="prose" html={html} />
      <a className="lesson-file panel" href={href} download={name}>
        <Icon name="box" />
        <span className="lesson-file__name">{name}</span>
        <span className="hint">{`${mediaType} · ${fileSize(bytes, formatOf(useSite()))}`}</span>
        <span className="lesson-file__word">Download</span>
      </a>
      <DoneSwitch record={record} />
    </div>
  );
}
