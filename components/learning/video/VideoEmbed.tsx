import { useState } from 'react';
import type { VideoEmbed as Embed, Picture } from '../../contracts/schema';
import { Button } from '../../ui/controls/Button';

type VideoEmbedProps = { embed: Embed; picture: Pick<Picture, 'src'> & Partial<Picture> };

/** A video of another site: a picture of ours, and nothing of it loads before it is asked for. */
export function VideoEmbed({ embed: { provider, url, title, isAllowed }, picture }: VideoEmbedProps) {
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
