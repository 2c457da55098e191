/** Amounts of an order with a rebate and a cashback, as its header and its documents show them. */
export const amounts = {
  taxrates: { 19: { net: '21.17', tax: '4.02', gross: '25.19' } },
  net: '21.17',
  tax: '4.02',
  gross: '25.19',
  item_net: '26.12',
  item_tax: '4.96',
  item_gross: '31.08',
  rebate: 5,
  rebate_net: '-4.95',
  rebate_tax: '-0.94',
  rebate_gross: '-5.89',
  cashback: 2,
  gross_cashback: '24.69',
  cashback_period: 10,
}
