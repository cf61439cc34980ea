import APNSModel

/// The devices of both environments.
struct DeviceTables: Sendable {
    private var sandbox = DeviceTable()
    private var production = DeviceTable()

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
