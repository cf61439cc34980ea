public import Foundation
public import PushDispatch

extension CRMSync {
    /// What a `CRMSync` needs from its app.
    public struct Configuration: Sendable {
        /// The app's registration with the CRM's authorization server.
        public var app: OAuthApp
        /// `KeychainTokenStorage` on a device.
        public var tokens: any TokenStorage
        /// `.sqlite(in:)` of the library `SelectiveSyncSQLite`.
        public var store: StoreOpener
        public var objects: [SyncObject]
        /// The part of the data that a user keeps: filters by object, which replace those of `objects`. It is asked at each start
        /// and at each log-in, before the first request.
        public var filters: (@Sendable (_ user: String) -> [String: RecordFilter])?

        /// The types of push that name records.
        public var types = HintTypes.standard
        /// Further types of push, with handlers of the app. A push for a regular sync has its route already.
        public var routes: [PushRoute] = []
        /// Set its `userKey` if the CRM names the user in its pushes.
        public var dispatch = DispatchPolicy()
        public var policy = SyncPolicy()
        public var regularSync = RegularSyncPolicy()
        /// Registers the device with the CRM; nil if it gets no pushes.
        public var registration: Registration?
        public var apiVersion = "v66.0"

        /// `AppBackgroundTime` on a device.
        public var backgroundTime: any BackgroundTime = UnlimitedBackgroundTime()
        /// `PathMonitor` on a device. Nil: the app calls `networkChanged(to:)`, or the network counts as Wi-Fi.
        public var network: (any NetworkWatcher)?
        public var clock: any DispatchClock = SystemDispatchClock()
        /// The device's date.
        public var now: @Sendable () -> Date = { Date() }
        /// Called in order for each part; it should return quickly.
        public var onEvent: @Sendable (CRMEvent) -> Void = { _ in }

        /// The server's double in a test; nil for the CRM's REST interface.
        public var server: (any RecordSource & RecordUploader)?
        /// The double for device registrations in a test; nil for the CRM's REST interface.
        public var registrar: (any DeviceRegistrar)?

        public init(app: OAuthApp, tokens: any TokenStorage, store: StoreOpener, objects: [SyncObject]) {
            self.app = app
            self.tokens = tokens
            self.store = store
            self.objects = objects
        }

        /// The objects with the filters of a user; nil if the filters do not depend on the user.
        func objects(for user: String) -> [SyncObject]? {
            guard let filters = filters?(user) else { return nil }
            return objects.map { object in
                var object = object
                object.filter = filters[object.name] ?? object.filter
                return object
            }
        }
    }

    /// How the device is registered with the CRM.
    public struct Registration: Sendable {
        public var bundleID: String
        public var storage: any RegistrationStorage
        /// Adds further fields, such as a community or a public key.
        public var configure: @Sendable (inout DeviceRegistration) -> Void = { _ in }

        public init(bundleID: String, storage: any RegistrationStorage = PreferencesRegistrationStorage()) {
            self.bundleID = bundleID
            self.storage = storage
        }
    }
}
