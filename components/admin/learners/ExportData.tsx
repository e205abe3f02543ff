import { exportLearner } from '../../api/admin/learners';
import { saveFile } from '../../browser/navigation';
import { CallError } from '../../forms/call/SignInAgain';
import { useCall } from '../../forms/call/useCall';
import { Button } from '../../ui/controls/Button';

/** Saves all stored data of a learner as a file; the server records who took it. */
export function ExportData({ call, fileName }: { call: string; fileName: string }) {
  const running = useCall();
  const save = async () => {
    const data = await exportLearner(call);
    saveFile(fileName, 'application/json', JSON.stringify(data, null, 2));
  };
  return (
    <div className="area-export">
      <CallError call={running} />
      <Button
        variant="quiet"
        isBusy={running.isBusy}
        busyText="Exporting…"
        onClick={() => void running.run(save)}
      >
        Export their data
      </Button>
    </div>
  );
}
