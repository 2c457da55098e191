import { cardHeights, pictureIn } from './pages/pictures.js'
import { storyWines } from './pages/query.js'

type Wines = { wines?: { image: string | null }[]; topSellers?: { image: string | null }[] }

const paths = ['start', 'wines', `few?${new URLSearchParams({ ...storyWines, size: '3' })}`]

/**
 * Requests the pictures of the start page and of the first list from the shop at an address, one after the other: what is
 * drawn at its first request is there when the first visitor comes.
 */
export const requestFirstPictures = async (url: string): Promise<void> => {
  const images = new Set<string>()
  for (const path of paths) {
    const response = await fetch(`${url}/shop/api/${path}`)
    const { wines = [], topSellers = [] } = (await response.json()) as Wines
    for (const { image } of [...topSellers, ...wines]) if (image) images.add(image)
  }
  for (const image of images)
    for (const height of cardHeights) await (await fetch(url + pictureIn(image, height))).arrayBuffer()
}
