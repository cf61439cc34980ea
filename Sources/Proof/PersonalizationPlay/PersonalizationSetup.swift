package import AppPlay
import EventDelivery
package import Personalization
import PushDispatch

/// The keys of the step `configure`.
package struct PersonalizationSetup: Hashable, Sendable {
    /// Nil for the service's own.
    package var appSourceID: String?
    package var dataSpace = "default"
    package var sessionTimeoutMilliseconds: Int64 = 600_000
    package var naming = NamingProfile.reference
    package var tracksScreens = false
    package var tracksLifecycle = false
    package var deviceIDAfterLogOut = DeviceIDAfterLogOut.same
    package var app = AppDescription(name: "play", version: "1.0")
    /// Of a fetch that does not say.
    package var timeoutMilliseconds: Int64 = 10_000
    /// After this a request is given up; nil for the library's own limits.
    package var requestMilliseconds: Int64?
    /// The app's own content by point.
    package var defaults: [String: DefaultContent] = [:]
    /// The profile graph by point.
    package var graphs: [String: String] = [:]
    package var links = DeepLinkRules(hosts: ["www.example.com"])
    package var pushes = PushOpenedRules()

    package init() {}

    package init(_ members: inout PlayMembers) throws(PlayMistake) {
        appSourceID = try members.string("app-source-id")
        dataSpace = try members.string("data-space") ?? dataSpace
        sessionTimeoutMilliseconds = try members.seconds("session-timeout") ?? sessionTimeoutMilliseconds
        naming =
            try members.word(
                "naming",
                of: ["reference": .reference, "product": .product, "other": .other, "guide": NamingProfile.guide])
            ?? naming
        tracksScreens = try members.flag("screen-tracking") ?? false
        tracksLifecycle = try members.flag("life-cycle-tracking") ?? false
        deviceIDAfterLogOut =
            try members.word("device-id-after-log-out", of: ["same": .same, "new": DeviceIDAfterLogOut.new])
            ?? deviceIDAfterLogOut
        app.name = try members.string("app-name") ?? app.name
        app.version = try members.string("app-version") ?? app.version
        timeoutMilliseconds = try members.seconds("timeout") ?? timeoutMilliseconds
        requestMilliseconds = try members.seconds("request-timeout")
        if let hosts = try members.strings("link-hosts") { links.hosts = Set(hosts) }
        if let points = try members.strings("push-points") {
            pushes.points = Set(points)
            pushes.defaultPoints = Array(points.prefix(1))
        }
        if let keys = try members.strings("push-context") { pushes.contextKeys = Set(keys) }
        for (point, graph) in try members.object("graphs") ?? [:] {
            guard let name = graph.string else {
                throw members.wrong("graphs", graph, "an object with the name of a graph for each point")
            }
            graphs[point] = name
        }
        for (point, content) in try members.object("defaults") ?? [:] {
            guard let object = content.object else {
                throw members.wrong("defaults", content, "an object with the content of each point")
            }
            defaults[point] = try DefaultContent(playing: object, at: point)
        }
    }
}

extension DefaultContent {
    fileprivate init(playing object: [String: JSONValue], at point: String) throws(PlayMistake) {
        var members = PlayMembers(object, "the step \"configure\", defaults of \"\(point)\"")
        self.init(attributes: try members.object("attributes") ?? [:])
        if let data = members.value("data") {
            let items = data.array?.compactMap(\.object)
            guard let items, items.count == data.array?.count else {
                throw members.wrong("data", data, "an array of objects")
            }
            self.items = items
        }
        try members.finish()
    }
}

extension PersonalizationSetup {
    func configuration(_ service: PersonalizationEndpoint) throws(PersonalizationError) -> PersonalizationConfiguration
    {
        var configuration = try PersonalizationConfiguration(
            endpoint: service.url, appSourceID: appSourceID ?? service.appSourceID, app: app)
        configuration.dataSpace = dataSpace
        configuration.sessionTimeoutMilliseconds = sessionTimeoutMilliseconds
        configuration.naming = naming
        configuration.tracksScreens = tracksScreens
        configuration.tracksLifecycle = tracksLifecycle
        configuration.deviceIDAfterLogOut = deviceIDAfterLogOut
        configuration.links = links
        if let requestMilliseconds { configuration.delivery.answerMilliseconds = requestMilliseconds }
        return configuration
    }

    func decisions(_ configuration: PersonalizationConfiguration) -> DecisionConfiguration {
        var decisions = DecisionConfiguration(endpoint: configuration.endpoint)
        decisions.graphs = graphs
        decisions.defaults = defaults
        decisions.timeoutMilliseconds = timeoutMilliseconds
        if let requestMilliseconds { decisions.requestMilliseconds = requestMilliseconds }
        return decisions
    }
}

/// The decision service that is played against.
package struct PersonalizationEndpoint: Hashable, Sendable {
    package var url: String
    /// The app source that `GET /health` reports.
    package var appSourceID: String
    /// The service's time of day, with which the device begins, in milliseconds since 1970.
    package var milliseconds: Int64

    package init(url: String, appSourceID: String, milliseconds: Int64) {
        self.url = url
        self.appSourceID = appSourceID
        self.milliseconds = milliseconds
    }
}
