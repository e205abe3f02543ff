import { type RefObject, useState } from 'react';
import { useRefresh } from '../../api/session/privatePage';
import { useSite } from '../../api/site';
import { SPEEDS, videoSpeed } from '../../browser/progress/videoSpeed';
import type { VideoBody } from '../../contracts/schema';
import { clockOf } from '../../format/clock';
import { ErrorPanel } from '../../ui/loading/ErrorPanel';
import type { LessonRecord } from '../state/useLessonRecord';
import { useVideoProgress } from './useVideoProgress';

type VideoPlayerProps = {
  title: string;
  body: VideoBody;
  record: LessonRecord;
  media: RefObject<HTMLVideoElement | null>;
  /** The whole second that is played. */
  onTime: (second: number) => void;
  onNearEnd: () => void;
};

/** The browser's own player, with its own keys, which everyone knows. */
export function VideoPlayer({ title, body, record, media, onTime, onNearEnd }: VideoPlayerProps) {
  const { sources, captions, poster } = body;
  const [hasFailed, setHasFailed] = useState(false);
  const [resumedAt, setResumedAt] = useState(0);
  const refresh = useRefresh();
  const { forms } = useSite();
  const progress = useVideoProgress({ record, onTime, onNearEnd, onResume: setResumedAt });

  /** Addresses of files end after some hours: the page's data has new ones. */
  function reload() {
    setHasFailed(false);
    refresh().then(
      () => media.current?.load(),
      () => setHasFailed(true),
    );
  }

  return (
    <div className="video stack">
      <div className="video__frame">
        <video
          ref={media}
          className="video__media"
          controls
          preload="metadata"
          playsInline
          poster={poster ?? undefined}
          aria-label={title}
          {...progress}
        >
          {sources.map(({ src, mediaType }, index) => (
            <source
              key={src}
              src={src}
              type={mediaType}
              onError={index === sources.length - 1 ? () => setHasFailed(true) : undefined}
            />
          ))}
          {captions.map(({ src, language, label }, index) => (
            <track
              key={src}
              kind="captions"
              src={src}
              srcLang={language}
              label={label}
              default={index === 0}
            />
          ))}
        </video>
      </div>
      <div className="row video__tools">
        <SpeedField
          onChoose={(speed) => {
            videoSpeed.set(speed);
            if (media.current) media.current.playbackRate = speed;
          }}
        />
        <p className="hint video__resumed">
          {resumedAt > 0 && `Goes on at ${clockOf(resumedAt, forms.zero)}`}
        </p>
      </div>
      {hasFailed && (
        <ErrorPanel
          title="The video could not be loaded"
          text="Its text below can be read, and your progress is kept."
          onRetry={reload}
        />
      )}
    </div>
  );
}

/** How fast videos are played; remembered in this browser. */
function SpeedField({ onChoose }: { onChoose: (speed: number) => void }) {
  const [speed, setSpeed] = useState(videoSpeed.get);
  return (
    <label className="video__speed">
      <span>Speed</span>
      <select
        className="video__select"
        value={speed}
        onChange={({ target }) => {
          setSpeed(Number(target.value));
          onChoose(Number(target.value));
        }}
      >
        {SPEEDS.map((value) => (
          <option key={value} value={value}>
            {`${value}×`}
          </option>
        ))}
      </select>
    </label>
  );
}
