import { RemovalPolicy, Stack } from 'aws-cdk-lib'
import { CfnBudget } from 'aws-cdk-lib/aws-budgets'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Construct } from 'constructs'

/** Whom alarms are told to, and US dollars a month above which the account costs too much. */
export type Telling = { alarmMail?: string | undefined; monthlyBudget?: number | undefined }

const budgetNotice = (notificationType: 'ACTUAL' | 'FORECASTED', threshold: number, address: string) => ({
  notification: { notificationType, threshold, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
  subscribers: [{ subscriptionType: 'EMAIL', address }],
})

/** Where alarms go. Whoever shall be told subscribes to it; one mail address may be deployed with it. */
export class AlarmTopic extends Construct {
  readonly topic: Topic

  constructor(scope: Construct, { alarmMail, monthlyBudget }: Telling) {
    super(scope, 'AlarmTopic')
    // A key of our own: CloudWatch may not use the one that SNS has in each account.
    const masterKey = new Key(this, 'Key', {
      description: `${Stack.of(this).stackName}: what alarms say`,
      enableKeyRotation: true,
      // Nothing is kept under it.
      removalPolicy: RemovalPolicy.DESTROY,
    })
    this.topic = new Topic(this, 'Topic', { displayName: Stack.of(this).stackName, masterKey, enforceSSL: true })
    const allowAlarms = (actions: string[], resource: string) =>
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions,
        resources: [resource],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      })
    // In the policy of a key the resource is the key itself.
    masterKey.addToResourcePolicy(allowAlarms(['kms:Decrypt', 'kms:GenerateDataKey*'], '*'))
    this.topic.addToResourcePolicy(allowAlarms(['sns:Publish'], this.topic.topicArn))
    if (alarmMail) this.topic.addSubscription(new EmailSubscription(alarmMail))
    if (alarmMail && monthlyBudget) this.addBudget(alarmMail, monthlyBudget)
  }

  private addBudget(mail: string, amount: number): void {
    new CfnBudget(this, 'Budget', {
      budget: { budgetType: 'COST', timeUnit: 'MONTHLY', budgetLimit: { amount, unit: 'USD' } },
      notificationsWithSubscribers: [budgetNotice('ACTUAL', 80, mail), budgetNotice('FORECASTED', 100, mail)],
    })
  }
}
