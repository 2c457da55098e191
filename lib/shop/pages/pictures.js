// @ts-check

/** The heights in pixels of the pictures on cards, for screens of one and of more pixels per CSS pixel. */
export const cardHeights = [320, 640]

/** The heights of large pictures. */
export const largeHeights = [640, 1280]

/** The width of a picture of a bottle, of its height. */
export const proportion = 0.45

/**
 * The address of a picture, as requests of all pages have it: browsers cache it.
 * @param {string} image
 * @param {number} height
 */
export const pictureIn = (image, height) => `${image}?height=${height}`

/**
 * The value of `srcset` for the heights of a picture.
 * @param {string} image
 * @param {readonly number[]} heights
 */
export const sourcesOf = (image, heights) =>
  heights.map(height => `${pictureIn(image, height)} ${height * proportion}w`).join(', ')
