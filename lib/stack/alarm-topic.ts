import { Stack } from 'aws-cdk-lib'
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'

/** The mail address for alarms, and the account's budget in US dollars a month. */
export type PendingEvent = { alarmMail?: string | undefined; monthlyBudget?: number | undefined }

const budgetNotice = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number, address: string) => ({
  notification: { notificationType, threshold, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
  subscribers: [{ subscriptionType: 'EMAIL', address }],
})

/**
 * The topic of the alarms, optionally with one mail subscription. Alarms contain no secrets, so the topic is not
 * encrypted.
 */
export class AlarmTopic extends Construct {
  readonly topic: Topic

  constructor(scope: Construct, { alarmMail, monthlyBudget }: PendingEvent) {
    super(scope, 'AlarmTopic')
    this.topic = new Topic(this, 'Topic', { displayName: Stack.of(this).stackName, enforceSSL: true })
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    )
    if (alarmMail) this.topic.addSubscription(new EmailSubscription(alarmMail))
    if (alarmMail && monthlyBudget) this.#addBudget(alarmMail, monthlyBudget)
  }

  #addBudget(mail: string, amount: number): void {
    new CfnBudget(this, 'Budget', {
      budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount, unit: 'USD' } },
      notificationsWithSubscribers: [budgetNotice('ACTUAL', 80, mail), budgetNotice('FORECASTED', 100, mail)],
    })
  }
}
