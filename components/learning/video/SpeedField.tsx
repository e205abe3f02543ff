import { useState } from 'react';
import { SPEEDS, videoSpeed } from '../../browser/progress/videoSpeed';

/** How fast videos are played; remembered in this browser. */
export function SpeedField({ onChoose }: { onChoose: (speed: number) => void }) {
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
