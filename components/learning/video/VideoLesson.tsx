import { useEffect, useRef, useState } from 'react';
import type { VideoEmbed as Embed, Picture, VideoBody } from '../../contracts/schema';
import { Button } from '../../ui/controls/Button';
import { RichText } from '../../ui/RichText';
import { DoneSwitch } from '../DoneSwitch';
import type { LessonRecord } from '../state/useLessonRecord';
import { Transcript } from './Transcript';
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

type VideoEmbedProps = { embed: Embed; picture: Pick<Picture, 'src'> & Partial<Picture> };

/** A video of another site: a picture of ours, and nothing of it loads before it is asked for. */
function VideoEmbed({ embed: { provider, url, title, isAllowed }, picture }: VideoEmbedProps) {
  const [isLoaded, setIsLoaded] = useState(false);
  return (
    <div className="video stack">
      <div className="video__frame">
        {isLoaded ? (
          <iframe className="video__media" src={url} title={title} allow="fullscreen; picture-in-picture" />
        ) : (
          <>
            <img className="video__media" {...picture} alt="" />
            <div className="video__offer stack">
              <p className="video__name">{title}</p>
              {isAllowed ? (
                <Button onClick={() => setIsLoaded(true)}>{`Load from ${provider}`}</Button>
              ) : (
                <a className="button" href={url} target="_blank" rel="noreferrer">
                  {`Watch at ${provider}`}
                  <span className="sr-only"> (opens another tab)</span>
                </a>
              )}
            </div>
          </>
        )}
      </div>
      <p className="hint">
        {`${provider} learns that you watch it. Where you stop is not kept: mark the lesson as done yourself.`}
      </p>
    </div>
  );
}
