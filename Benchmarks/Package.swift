// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Benchmarks",
    traits: [
        .trait(
            name: "GStreamer", description: "The benchmark engines. The others would load GStreamer without using it.")
    ],
    dependencies: [
        .package(
            name: "swift-flowplayer", path: "..",
            traits: [.defaults, "GTK", .trait(name: "GStreamer", condition: .when(traits: ["GStreamer"]))]),
        .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    ],
    targets: [
        .executableTarget(
            name: "ads",
            dependencies: [
                "BenchmarkSupport", "Measuring",
                .product(name: "Advertising", package: "swift-flowplayer"),
                .product(name: "FlowplayerSDK", package: "swift-flowplayer"),
                .product(name: "Playback", package: "swift-flowplayer"),
                .product(name: "VLCBackend", package: "swift-flowplayer"),
            ]
        ),
        .executableTarget(name: "startup", dependencies: ["Measuring", "startup-peer", "startup-player"]),
        .executableTarget(
            name: "startup-player",
            dependencies: [.product(name: "FlowplayerSDK", package: "swift-flowplayer")]
        ),
        .executableTarget(name: "heaps", dependencies: ["Measuring"]),
        .executableTarget(name: "startup-peer", linkerSettings: [.linkedLibrary("vlc")]),
        .executableTarget(
            name: "background",
            dependencies: [
                "BenchmarkSupport", "Measuring",
                .product(name: "FlowplayerSDK", package: "swift-flowplayer"),
                .product(name: "FlyingFox", package: "FlyingFox"),
            ]
        ),
        .executableTarget(
            name: "queue",
            dependencies: [
                "BenchmarkSupport", "Measuring", "queue-peer",
                .product(name: "FlowplayerSDK", package: "swift-flowplayer"),
            ]
        ),
        // The tests' own: links to their files.
        .executableTarget(
            name: "faults",
            dependencies: [
                "BenchmarkSupport", "Measuring",
                .product(name: "FlowplayerFaults", package: "swift-flowplayer"),
                .product(name: "FlowplayerSDK", package: "swift-flowplayer"),
                .product(name: "FlowplayerTesting", package: "swift-flowplayer"),
                .product(name: "Playback", package: "swift-flowplayer"),
            ],
            swiftSettings: [.define("VLC")]
        ),
        .executableTarget(name: "queue-peer", linkerSettings: [.linkedLibrary("vlc")]),
        .executableTarget(
            name: "network",
            dependencies: ["BenchmarkSupport", "Measuring", "network-peer", "network-player"]
        ),
        .executableTarget(
            name: "network-player",
            dependencies: [.product(name: "FlowplayerSDK", package: "swift-flowplayer")]
        ),
        .executableTarget(name: "network-peer", linkerSettings: [.linkedLibrary("vlc")]),
        .executableTarget(
            name: "isolation",
            dependencies: [
                "BenchmarkSupport", "Measuring", "isolation-engine",
                .product(name: "FlowplayerIsolation", package: "swift-flowplayer"),
                .product(name: "Playback", package: "swift-flowplayer"),
                .product(name: "VLCBackend", package: "swift-flowplayer"),
                .product(name: "flowplayer-engine", package: "swift-flowplayer"),
            ]
        ),
        // The engine's program with a call that hangs: a link to its file.
        .executableTarget(
            name: "isolation-engine",
            dependencies: [
                "hanging-call",
                .product(name: "FlowplayerIsolation", package: "swift-flowplayer"),
                .product(name: "GStreamerBackend", package: "swift-flowplayer"),
                .product(name: "Playback", package: "swift-flowplayer"),
                .product(name: "VLCBackend", package: "swift-flowplayer"),
            ],
            swiftSettings: [.define("VLC")]
        ),
        .target(name: "hanging-call"),
        .executableTarget(
            name: "engines",
            dependencies: [
                "BenchmarkSupport", "Measuring", "engines-peer",
                .product(name: "FlowplayerIsolation", package: "swift-flowplayer"),
                .product(name: "GStreamerBackend", package: "swift-flowplayer"),
                .product(name: "Playback", package: "swift-flowplayer"),
                .product(name: "VLCBackend", package: "swift-flowplayer"),
                .product(name: "flowplayer-engine", package: "swift-flowplayer"),
            ]
        ),
        .executableTarget(
            name: "engines-peer",
            dependencies: [.target(name: "GStreamerLibraries", condition: .when(traits: ["GStreamer"]))]
        ),
        .systemLibrary(
            name: "GStreamerLibraries", pkgConfig: "gstreamer-app-1.0",
            providers: [.apt(["libgstreamer1.0-dev", "libgstreamer-plugins-base1.0-dev"])]
        ),
        .executableTarget(
            name: "video-output",
            dependencies: [
                "BenchmarkSupport",
                "Measuring",
                .product(name: "Playback", package: "swift-flowplayer"),
                .product(name: "VLCBackend", package: "swift-flowplayer"),
            ]
        ),
        .executableTarget(name: "views", dependencies: ["BenchmarkSupport", "Measuring", "views-player"]),
        .executableTarget(
            name: "views-player",
            dependencies: [
                .product(name: "FlowplayerGTK", package: "swift-flowplayer"),
                .product(name: "FlowplayerSDK", package: "swift-flowplayer"),
                .product(name: "Playback", package: "swift-flowplayer"),
                .product(name: "FlowplayerTerminal", package: "swift-flowplayer"),
            ]
        ),
        .target(name: "Measuring", dependencies: ["BenchmarkSupport"]),
        // A link to the folder of the tests. The private bus needs the package's D-Bus module.
        .target(
            name: "BenchmarkSupport",
            dependencies: [
                .product(name: "FlyingFox", package: "FlyingFox"),
                .product(name: "Playback", package: "swift-flowplayer"),
            ],
            path: "Sources/TestSupport",
            exclude: ["PrivateBus.swift"]
        ),
    ],
    swiftLanguageModes: [.v6]
)
