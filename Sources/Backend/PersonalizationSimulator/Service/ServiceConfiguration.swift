import APNSModel
import ServiceHost

/// What the service is set up with: points, items, people and limits.
package struct ServiceConfiguration: Hashable, Sendable {
    /// The form of a reply, where the vendor's reference and its how-to guide differ.
    package enum ReplyForm: String, Hashable, Sendable, CaseIterable {
        case reference
        /// Each element also has `requestId`, `individualId`, `dataSpace` and `dmoName`.
        case guide
    }

    /// A person who is known from the start.
    package struct KnownIndividual: Hashable, Sendable {
        package var id: String
        package var email: String?
        package var userID: String?
        /// Nil for a person of every data space.
        package var dataSpace: String?
        package var attributes: [String: String] = [:]

        package init(_ id: String) { self.id = id }
    }

    /// An app source whose events are for one data space.
    package struct AppSource: Hashable, Sendable {
        /// A UUID.
        package var id: String
        package var dataSpace: String

        package init(id: String, dataSpace: String) {
            self.id = id
            self.dataSpace = dataSpace
        }
    }

    package var dataSpaces = ["default"]
    /// A UUID: the app's source id, the last part of the paths for events. It feeds every data space.
    package var appSourceID: String
    /// Further app sources.
    package var appSources: [AppSource] = []
    /// What `Authorization: Bearer` carries for the paths with sign-on.
    package var accessToken: String
    /// By type.
    package var items: [String: ItemCatalog] = [:]
    package var points: [DecisionPoint] = []
    package var individuals: [KnownIndividual] = []
    package var replyForm = ReplyForm.reference
    package var limits = ServiceLimits()
    package var faults: [ServiceFault] = []
    /// For ids, experiments and the probability of faults.
    package var seed: UInt64

    /// - Parameter seed: The source id and the access token follow from it unless they are set.
    package init(seed: UInt64 = 1) {
        self.seed = seed
        var generator = SeededGenerator(seed: SeededGenerator.mix(seed &+ 0x5eed))
        appSourceID = UUIDText.make(using: &generator)
        accessToken = "access-" + UUIDText.make(using: &generator)
    }

    /// The service without a document: a hero, recommendations, a landing point and a few products.
    package static func standard(seed: UInt64 = 1) -> ServiceConfiguration {
        PersonalizationDocument(Array(standardText.utf8), name: "standard", seed: seed).configuration
    }

    static let standardText = """
        items:
          ssot__GoodsProduct__dlm:
            - {ssot__ProductSKU__c: "7300215", ssot__Name__c: Copper kettle, ssot__PrimaryProductCategory__c: Kettles, UnitPrice__c: "49.50", PurchaseUrl__c: https://www.example.com/p/copper-kettle-7300215.html}
            - {ssot__ProductSKU__c: "7300216", ssot__Name__c: Steel kettle, ssot__PrimaryProductCategory__c: Kettles, UnitPrice__c: "29.00", PurchaseUrl__c: https://www.example.com/p/steel-kettle-7300216.html}
            - {ssot__ProductSKU__c: "7400100", ssot__Name__c: Green tea, ssot__PrimaryProductCategory__c: Tea, UnitPrice__c: "7.25", PurchaseUrl__c: https://www.example.com/p/green-tea-7400100.html}
        points:
          - name: home_hero
            decisions:
              - {id: gold, when: [{attribute: tier, equals: gold}], content: {title: Welcome back}}
              - {id: everybody, content: {title: Hello}}
          - name: home_recommendations
            decisions:
              - {id: recs, content: {title: Picked for you}, recommend: {type: ssot__GoodsProduct__dlm, limit: 4, order: co-viewed}}
          - name: notification_landing_recs
            decisions:
              - {id: category, when: [{context: category, exists: true}], recommend: {type: ssot__GoodsProduct__dlm, limit: 4, where: [{field: ssot__PrimaryProductCategory__c, equals: {context: category}}]}}
              - {id: any, recommend: {type: ssot__GoodsProduct__dlm, limit: 4}}
        individuals:
          - {id: 5e1d7a90c4b2f836, email: kim@example.com, user-id: u-1001, attributes: {tier: gold}}
        """
}
