import { productsNamed } from '../../api/admin/products';
import { addLine } from '../../browser/forms/textLines';
import { Picker, type PickerOption } from '../../forms/Picker';
import { TextField } from '../../forms/TextField';

type ProductLinesFieldProps = {
  id: string;
  name: string;
  label: string;
  hint: string | undefined;
  error: string | undefined;
  required: boolean;
  maxLength: number;
  defaultValue: string;
};

/** Products, the short name of each on a line, which may have more. A picked one is added as the last line. */
export function ProductLinesField(props: ProductLinesFieldProps) {
  const { id, name } = props;

  function add({ value }: PickerOption) {
    addLine(id, value.slice(value.indexOf(':') + 1));
  }

  return (
    <>
      <TextField {...props} autoComplete="off" rows={6} />
      <Picker
        id={`${id}-add`}
        name={`${name}Add`}
        label="Add a product"
        hint="A part of its name."
        load={productsNamed}
        onPick={add}
      />
    </>
  );
}
