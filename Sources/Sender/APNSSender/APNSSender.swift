// Everything that a server needs to send notifications, under one import.
@_exported public import APNSModel
@_exported public import APNSPayload
@_exported public import APNSProvider
@_exported public import ProviderMetrics
@_exported public import ProviderToken
@_exported public import ProviderTracing
