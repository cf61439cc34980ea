import APNSModel

/// The devices of both environments.
struct DeviceTables: Sendable {
    private var sandbox = DeviceTable()
    private var production = DeviceTable()

    /// The machine's time of what happens now.
    var moment: Int64 = 0 {
        didSet { (sandbox.moment, production.moment) = (moment, moment) }
    }

    @inline(__always)
    subscript(environment: APNSEnvironment) -> DeviceTable {
        _read {
            switch environment {
            case .sandbox: yield sandbox
            case .production: yield production
            }
        }
        _modify {
            switch environment {
            case .sandbox: yield &sandbox
            case .production: yield &production
            }
        }
    }
}

/// For the checks: the subscript would allocate memory and count the references of a whole table.
extension DeviceTables {
    func slot(of token: DeviceToken, in environment: APNSEnvironment) -> Int? {
        environment == .sandbox ? sandbox.slot(of: token) : production.slot(of: token)
    }

    func topic(of slot: Int, in environment: APNSEnvironment) -> Topic {
        environment == .sandbox ? sandbox.topic(of: slot) : production.topic(of: slot)
    }

    func expiresAt(of slot: Int, in environment: APNSEnvironment) -> Int64? {
        environment == .sandbox ? sandbox.expiresAt(of: slot) : production.expiresAt(of: slot)
    }

    func registration(of slot: Int, in environment: APNSEnvironment) -> Device.Registration {
        environment == .sandbox ? sandbox.registration(of: slot) : production.registration(of: slot)
    }
}
