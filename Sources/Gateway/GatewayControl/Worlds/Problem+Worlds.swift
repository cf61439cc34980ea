import GatewayConfiguration
import GatewayCore
package import GatewayJSON
package import GatewayRuntime

extension Problem {
    static let tooManySubscribers = Problem(
        503, "Too many subscribers",
        "\(SubscriberLimits.maximumSubscribers) clients listen or wait already; close one of them and try again")

    static let stopping = Problem(
        503, "The gateway is stopping", "the gateway is stopping and takes no change any more; GET is still answered")

    static let waitCutShort = Problem(
        503, "The wait was cut short",
        "the gateway stops, or the world was removed, before it is certain whether the journal has what is expected")

    static let tooManyBodies = Problem(
        503, "Too many large bodies",
        "large requests and answers that are on their way use a quarter of the limit of memory (--memory) already; send "
            + "the request again when others are done, or ask for less at once")

    package init(_ fault: Worlds.CreationError) {
        switch fault {
        case .full(let maximum):
            self.init(
                507, "Too many worlds",
                "there are \(maximum) worlds already, which is the limit of this gateway (--worlds); remove one with "
                    + "DELETE /api/worlds/{name}")
        case .memoryFull:
            self.init(
                507, "The gateway is full",
                "there is no memory for the world within the limit of the gateway (--memory); remove worlds with "
                    + "DELETE /api/worlds?idle=1h, or start the gateway with more")
        case .opening(let name):
            self.init(
                503, "The world is being made",
                "another client is making the world \(name) at this moment; send the request again")
        case .taken(let name) where name == .standard:
            self.init(
                409, "The world exists",
                "the world \(name) is the default world, which always exists; POST /api/import puts another in its "
                    + "place, and POST /api/reset restores its start")
        case .taken(let name):
            self.init(
                409, "The world exists", "the world \(name) already exists; DELETE /api/worlds/\(name) removes it")
        }
    }
}
