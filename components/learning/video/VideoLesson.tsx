import { useEffect, useRef, useState } from 'react';
import type { Picture, VideoBody } from '../../contracts/schema';
import { RichText } from '../../ui/RichText';
import { DoneSwitch } from '../DoneSwitch';
import type { LessonRecord } from '../state/useLessonRecord';
import { Transcript } from './Transcript';
import { VideoEmbed } from './VideoEmbed';
import { VideoPlayer } from './VideoPlayer';

export type VideoLessonProps = {
  title: string;
  body: VideoBody;
  /** The course's picture: stands for a video of another site that has none of its own. */
  picture: Picture;
  record: LessonRecord;
  onNearEnd: () => void;
};

/** A video of the shop with its transcript, or one of another site. */
export function VideoLesson({ title, body, picture, record, onNearEnd }: VideoLessonProps) {
  const media = useRef<HTMLVideoElement>(null);
  const [second, setSecond] = useState(-1);
  const isEmbed = body.embed !== null;
  // How far a video of another site is played is not known.
  useEffect(() => {
    if (isEmbed) onNearEnd();
  }, [isEmbed, onNearEnd]);

  function seek(start: number) {
    if (!media.current) return;
    media.current.currentTime = start;
    // Refused where a browser wants another press first.
    media.current.play()?.catch(() => undefined);
  }

  return (
    <div className="stack lesson-text">
      {body.embed ? (
        <VideoEmbed embed={body.embed} picture={body.poster ? { src: body.poster } : picture} />
      ) : (
        <VideoPlayer
          title={title}
          body={body}
          record={record}
          media={media}
          onTime={setSecond}
          onNearEnd={onNearEnd}
        />
      )}
      {body.transcript.length > 0 && (
        <Transcript cues={body.transcript} second={second} onSeek={body.embed ? null : seek} />
      )}
      <RichText className="prose" html={body.html} />
      <DoneSwitch record={record} />
    </div>
  );
}
