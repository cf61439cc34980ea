package import AppPlay
package import Optimization
import PushDispatch

/// The optimization services that are played against.
package struct OptimizationEndpoint: Hashable, Sendable {
    package var url: String
    // What `GET /health` reports.
    package var clientID: String
    package var environment: String
    package var space: String
    package var accessToken: String
    /// The services' time of day, with which the device begins, in milliseconds since 1970.
    package var milliseconds: Int64

    package init(
        url: String, clientID: String, environment: String, space: String, accessToken: String, milliseconds: Int64
    ) {
        self.url = url
        self.clientID = clientID
        self.environment = environment
        self.space = space
        self.accessToken = accessToken
        self.milliseconds = milliseconds
    }
}

/// The keys of the step `configure`. Nil for the services' own.
package struct OptimizationSetup: Hashable, Sendable {
    package var generation = OptimizationConfiguration.Generation.first
    package var clientID: String?
    package var environment: String?
    package var experienceBaseURL: String?
    package var insightsBaseURL: String?
    package var defaults: StartValues?
    package var isDebug = false
    package var space: String?
    package var accessToken: String?
    /// The locale of fetched entries; nil for the space's default.
    package var locale: String?
    /// Nil for the generation's.
    package var allowedBeforeConsent: [String]?
    /// Whether queued events survive the end of the process.
    package var storesEvents = false

    package init() {}

    package init(_ members: inout PlayMembers) throws(PlayMistake) {
        generation =
            try members.word("generation", of: ["first": .first, "later": OptimizationConfiguration.Generation.later])
            ?? .first
        clientID = try members.string("clientId")
        environment = try members.string("environment")
        experienceBaseURL = try members.string("experienceBaseUrl")
        insightsBaseURL = try members.string("insightsBaseUrl")
        if let object = try members.object("defaults") { defaults = try StartValues(playing: object) }
        isDebug = try members.flag("debug") ?? false
        space = try members.string("space")
        accessToken = try members.string("accessToken")
        locale = try members.string("locale")
        allowedBeforeConsent = try members.strings("allowedBeforeConsent")
        storesEvents = try members.flag("storesEvents") ?? false
    }
}

extension StartValues {
    fileprivate init(playing object: [String: JSONValue]) throws(PlayMistake) {
        let what = "the step \"configure\", defaults"
        var members = PlayMembers(object, what)
        self.init(consent: try members.flag("consent"))
        if let value = members.value("profile") {
            guard let profile = OptimizationProfile(value) else {
                throw members.wrong("profile", value, "an object with an id")
            }
            self.profile = profile
        }
        var issues: [ReadingIssue] = []
        if let value = members.value("changes") { changes = OptimizationChange.list(value, issues: &issues) }
        if let value = members.value("personalizations") {
            personalizations = ExperienceSelection.list(value, issues: &issues)
        }
        if let issue = issues.first { throw PlayMistake("\(what): \(issue)") }
        try members.finish()
    }
}

extension OptimizationSetup {
    func configuration(_ service: OptimizationEndpoint) -> OptimizationConfiguration {
        var configuration = OptimizationConfiguration(clientID: clientID ?? service.clientID, generation: generation)
        configuration.environment = environment ?? service.environment
        configuration.experienceBaseURL = experienceBaseURL ?? service.url
        configuration.insightsBaseURL = insightsBaseURL ?? service.url
        configuration.defaults = defaults
        configuration.isDebug = isDebug
        configuration.app = OptimizationApp(name: "play", version: "1.0")
        if let locale { configuration.locale = locale }
        if let allowedBeforeConsent { configuration.allowedBeforeConsent = Set(allowedBeforeConsent) }
        return configuration
    }

    func delivery(_ service: OptimizationEndpoint) -> DeliveryConfiguration {
        DeliveryConfiguration(
            baseURL: service.url, space: space ?? service.space, environment: environment ?? service.environment,
            accessToken: accessToken ?? service.accessToken)
    }
}
