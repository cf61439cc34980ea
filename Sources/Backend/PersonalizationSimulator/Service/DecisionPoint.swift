/// A personalization point: what an app asks for by name.
package struct DecisionPoint: Hashable, Sendable {
    /// Begins `9pp`.
    package var id: String
    package var name: String
    /// The profile graph that it reads.
    package var graph = "main"
    package var dataSpace = "default"
    package var needsSignOn = false
    /// Whether an open of a push counts for the device's next decision here.
    package var isLanding = false
    /// By priority.
    package var decisions: [PointDecision] = []
    package var experiment: Experiment?

    package init(_ name: String, number: Int) {
        self.name = name
        id = VendorID.make("9pp", number)
        isLanding = name == DecisionPoint.defaultLanding
    }

    package static let defaultLanding = "notification_landing_recs"
    package static let defaultGraph = "main"
}

/// One answer that a point can give.
package struct PointDecision: Hashable, Sendable {
    /// Begins `9pb`.
    package var id: String
    /// Its name in the document.
    package var name: String
    /// All of them must hold; none means that it always qualifies.
    package var conditions: [Condition] = []
    /// Fixed content: string values.
    package var content: [String: String] = [:]
    package var recommender: Recommender?

    package init(_ name: String, number: Int) {
        self.name = name
        id = VendorID.make("9pb", number)
    }
}

/// Chooses items.
package struct Recommender: Hashable, Sendable {
    package enum Order: String, Hashable, Sendable, CaseIterable {
        /// As in the document.
        case listed
        /// Most viewed together with the anchor item by the same people first, then as in the document.
        case coViewed = "co-viewed"
        /// The person's own views, newest first.
        case viewed
    }

    package var type: String
    /// 1 to 24.
    package var limit: Int
    package var filters: [Condition] = []
    package var order = Order.listed
    /// Whether items without a view fill up what `co-viewed` or `viewed` leaves free.
    package var fills = true
    /// Whether the anchor item is left out. With `co-viewed` it always is.
    package var omitsAnchor = false

    package init(_ type: String, limit: Int) {
        self.type = type
        self.limit = limit
    }
}

/// Ids in the vendor's form, 18 characters.
enum VendorID {
    static func make(_ prefix: String, _ number: Int) -> String {
        let digits = String(number)
        return prefix + "xx" + String(repeating: "0", count: max(0, 10 - digits.count)) + digits + "AAA"
    }
}
