import { Argument, type Command, Option } from 'commander'
import type { GoodsType } from '../../../shared/contract/vocabulary.ts'
import { type PictureKind, pictureKinds } from '../../../shared/values/picture-name.ts'
import { findMerchant, Refused } from '../merchants.ts'
import { progressBar } from '../progress.ts'
import { say } from '../say.ts'
import { readQuantity, setStock } from '../stock.ts'

const supply = async (
  path: string,
  { merchant, articlenumber }: { merchant: string; articlenumber?: string },
): Promise<void> => {
  const { id } = await findMerchant(merchant)
  // Loaded here only: the PDF library is a third of the start of every other command.
  const { supplyFiles } = await import('../expertise.ts')
  const bar = progressBar('PDFs')
  const { taken, refused } = await supplyFiles(id, { path, articlenumber, progress: bar.update })
  bar.stop(`${taken} PDFs supplied, ${refused.length} refused`)
  if (refused.length > 0) throw new Refused(refused.map(({ file, reason }) => `${file} ${reason}`).join('\n'))
}

type ImagesOptions = { merchant: string; kind: PictureKind; articlenumber?: string; name?: string }

const images = async (path: string, { merchant, kind, articlenumber, name }: ImagesOptions): Promise<void> => {
  const { id } = await findMerchant(merchant)
  // As above: it loads the image decoder.
  const { supplyImages } = await import('../images.ts')
  const bar = progressBar('pictures')
  const { taken, refused } = await supplyImages(id, { path, kind, name: articlenumber ?? name, progress: bar.update })
  bar.stop(`${taken} pictures supplied, ${refused.length} refused`)
  if (refused.length > 0) throw new Refused(refused.map(({ file, reason }) => `${file} ${reason}`).join('\n'))
}

const stock = async (merchant: string, type: GoodsType, articlenumber: string, text: string): Promise<void> => {
  const quantity = readQuantity(text)
  const { id } = await findMerchant(merchant)
  const name = await setStock(id, type, articlenumber, quantity)
  say(quantity === null ? `${name}: the stock is not counted` : `${name}: ${quantity} in stock`)
}

/** Adds the commands for stock, expertise PDFs and pictures. */
export const addGoodsCommands = (program: Command): void => {
  program
    .command('expertise')
    .argument('<path>', 'a PDF file, or a folder of them named after article numbers')
    .requiredOption('--merchant <merchant>', 'id, name or AuthID')
    .option('--articlenumber <number>', 'the wine of a single file, if the file is not named after it')
    .description("supplies the merchant's own expertise PDFs, which replace the drawn PDFs")
    .action(supply)

  program
    .command('images')
    .argument('<path>', 'a PNG, JPEG or WebP picture, or a folder of them named after article numbers')
    .requiredOption('--merchant <merchant>', 'id, name or AuthID')
    .addOption(
      new Option('--kind <kind>', 'the kind of record; merchant for its logo').choices(pictureKinds).default('wine'),
    )
    .addOption(new Option('--articlenumber <number>', 'the wine or product of a single file').conflicts('name'))
    .option('--name <name>', 'the winery or category of a single file, by its name or path_segment')
    .description('supplies pictures of wines, products, wineries and categories, and the logo')
    .action(images)

  program
    .command('stock')
    .argument('<merchant>', 'id, name or AuthID')
    .addArgument(new Argument('<type>', 'kind of article').choices(['wine', 'product']))
    .argument('<articlenumber>', 'article number of the wine or product')
    .argument('<quantity>', 'a whole number; none stops counting')
    .description('sets the stock of a wine or product')
    .action(stock)
}
